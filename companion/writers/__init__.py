"""Scenes and sheets → bytes. The only place that knows a file format."""
