"""Players: agents of this process, and programs outside."""
