"""What a tournament publishes: a folder of pages that need no server, no network and no other file."""
