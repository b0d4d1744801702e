//! Reading a JSON text without building a tree. Knows no field name.
