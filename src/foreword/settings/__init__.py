"""Values from outside: files of the package, the environment, the command line's options.

Above: bootstrap and the doors. Below: everything that must not look for its own settings.
"""
