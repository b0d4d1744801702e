use super::table::Table;
pub fn decoder(_table: &Table) -> String {
    String::new()
}
