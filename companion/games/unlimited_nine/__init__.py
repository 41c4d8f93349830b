"""Unlimited Nine (UN-1 … UN-12)."""
