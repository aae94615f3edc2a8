"""To compare with: trained policies, and datasets of searched games."""
