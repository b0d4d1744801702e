//! Points in time as numbers, for wires that print them so; events carry ISO 8601.

use crate::json::Value;

/// A date as text. It lives on the stack: with some wires every piece of a text has one.
pub struct Iso([u8; 24]);

impl std::ops::Deref for Iso {
    type Target = str;

    fn deref(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Milliseconds since 1970 as `2026-01-02T03:04:05.678Z`; `None` outside the years 1970 to 9999.
pub fn iso(milliseconds: f64) -> Option<Iso> {
    const LAST: f64 = 253_402_300_799_999.0;
    if !(0.0..=LAST).contains(&milliseconds) {
        return None;
    }
    let time = milliseconds as u64;
    let (days, rest) = (time / 86_400_000, time % 86_400_000);
    // Eras of 400 years that begin in March, so that the leap day comes last.
    let days = days + 719_468;
    let era_day = days % 146_097;
    let era_year = (era_day - era_day / 1_460 + era_day / 36_524 - era_day / 146_096) / 365;
    let day = era_day - (365 * era_year + era_year / 4 - era_year / 100);
    let month = (5 * day + 2) / 153;
    // Where each number ends, and the number.
    let parts = [
        (4, days / 146_097 * 400 + era_year + u64::from(month >= 10)),
        (7, if month < 10 { month + 3 } else { month - 9 }),
        (10, day - (153 * month + 2) / 5 + 1),
        (13, rest / 3_600_000),
        (16, rest / 60_000 % 60),
        (19, rest / 1_000 % 60),
        (23, rest % 1_000),
    ];
    let mut text = *b"0000-00-00T00:00:00.000Z";
    for (end, mut number) in parts {
        for digit in text.get_mut(..end)?.iter_mut().rev().take_while(|digit| digit.is_ascii_digit()) {
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
    }
    Some(Iso(text))
}

/// A time that the wire prints as text or as milliseconds.
pub fn time(value: Value<'_>) -> Option<std::borrow::Cow<'_, str>> {
    value.str().or_else(|| iso(value.f64()?).map(|time| time.to_owned().into()))
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn milliseconds_become_iso_dates() {
        let cases = [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000.0, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999.9, "2000-02-29T23:59:59.999Z"),
            (1_709_251_199_001.0, "2024-02-29T23:59:59.001Z"),
            (1_772_445_600_500.0, "2026-03-02T10:00:00.500Z"),
            (4_107_542_399_000.0, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400_000.0, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999.0, "9999-12-31T23:59:59.999Z"),
        ];
        for (milliseconds, expected) in cases {
            assert_eq!(iso(milliseconds).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_no_time_of_ours_has_no_date() {
        for odd in [-1.0, f64::NAN, f64::INFINITY, 253_402_300_800_000.0] {
            assert!(iso(odd).is_none());
        }
    }
}
