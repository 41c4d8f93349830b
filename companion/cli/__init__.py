"""argv → call → answer → text or JSON. No rule, no arithmetic, no geometry."""
