"""Web pages: live events, tournament reports and replays."""
