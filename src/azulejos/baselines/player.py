"""The trained policies as a player: `azulejos --import azulejos.baselines.player match azul trained greedy`."""

from azulejos.players import register

from .policy import Trained

register("trained")(Trained)
