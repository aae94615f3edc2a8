"""Summer Pavilion's judgement for the lanes of a warp, which share its loops over actions."""

from .judgement import (
    describe_briefly,
    describe_pass,
    describe_placements,
    describe_takes,
    describe_tiles,
    rate,
    rate_placements,
    rate_takes,
    rate_tiles,
)

BY_LANES = {  # each is bound to those before it
    template.__name__: template
    for template in (
        rate_takes, rate_placements, rate_tiles, rate, describe_takes, describe_pass, describe_placements,
        describe_tiles, describe_briefly,
    )
}  # fmt: skip
