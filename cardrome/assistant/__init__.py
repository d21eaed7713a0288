"""An assistant plays: games against agents as tools of the Model Context Protocol."""
