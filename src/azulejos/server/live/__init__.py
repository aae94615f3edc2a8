"""Live tables: connections, messages, views, computer players, metrics."""
