//! stub
use super::*;
pub const ROW: DialectRow = DialectRow { name: "pi", detect: |_, _, _| None, make: |_| Box::new(X), reply: None };
struct X;
impl Dialect for X { fn record(&mut self, _: &Record<'_>, _: Value<'_>, _: &mut dyn FactSink) {} }
