"""From a plan to exact text: template values, templates, messages.

Above: planning, engine and every door. Below: domain and errors. Pure: template texts are passed in
as strings, whoever reads files or settings stands above. The same input always gives the same text.
"""
