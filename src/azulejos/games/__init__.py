"""The games. A further game is a further folder, and a line here."""

from azulejos.core.registry import register

from .azul import Azul
from .pavilion import Pavilion

register(Azul)
register(Pavilion)
