"""The numbers of Summer Pavilion's positions: phases, places, and how tiles are packed."""

DEAL, REFILL, TAKE, DECORATE, BONUS, KEEP, ENDED = range(7)
CENTRE = 0
NO_COLOUR = -1

COUNT_BITS = 5  # of the number of tiles of each colour in one place
COUNT_MASK = (1 << COUNT_BITS) - 1
