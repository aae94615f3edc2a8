"""Starting and keeping a server: the command, its settings, logs, backups."""
