"""Games for language models: a position as short text with numbered actions, and answers read leniently.

>>> import cardrome
>>> from cardrome.envs.text import PositionText
>>> view = cardrome.new_game("locm-1.2", seed=7).view(0)
>>> text = PositionText(view)
>>> prompt = text.rules + text.position
>>> text.read("I choose 2.").actions
('PICK 2',)
"""

from cardrome.envs.text.answers import Reading
from cardrome.envs.text.position import PositionText

__all__ = ["PositionText", "Reading"]
