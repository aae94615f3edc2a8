"""The tables that are live: who is at them, what they are told, who thinks."""
