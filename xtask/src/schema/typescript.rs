use super::table::Table;
pub fn types(_table: &Table) -> String {
    String::new()
}
