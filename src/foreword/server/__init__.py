"""The memory proxy: speaks to chat clients as a model's server does.

Above: the command that starts it. Below: bootstrap and the ports. A door: it translates between
HTTP and use cases, and holds no rule.
"""
