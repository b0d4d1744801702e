// Generated from src/event/events.schema by `cargo xtask schema`. Change the table, not this file.

