"""Shipped fakes of the ports, and contract suites that any implementation can be held against."""
