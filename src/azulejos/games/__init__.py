"""The games. A further game is a further folder, and a line here."""

from azulejos.core.registry import register

from .azul import Azul
from .duel import Duel
from .pavilion import Pavilion

register(Azul)
register(Pavilion)
register(Duel)
