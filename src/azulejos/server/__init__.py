"""The tables on the web: pages, a protocol over WebSocket, storage."""
