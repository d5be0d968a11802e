"""Durable background work: who does a job, how it is stopped, and how it is taken over."""
