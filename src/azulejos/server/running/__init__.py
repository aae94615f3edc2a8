"""Running a server: the command, settings, logs, backup."""
