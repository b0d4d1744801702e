//! Points in time as numbers, for wires that print them so; events carry ISO 8601.

use crate::json::Value;

/// Milliseconds since 1970 as `2026-01-02T03:04:05.678Z`; `None` outside the years 1970 to 9999.
pub fn iso(milliseconds: f64) -> Option<String> {
    const LAST: f64 = 253_402_300_799_999.0;
    if !(0.0..=LAST).contains(&milliseconds) {
        return None;
    }
    let time = milliseconds as u64;
    let (mut days, mut rest) = (time / 86_400_000, time % 86_400_000);
    // Years of 400 begin in March here, so that the leap day comes last.
    days += 719_468;
    let era_day = days % 146_097;
    let era_year = (era_day - era_day / 1_460 + era_day / 36_524 - era_day / 146_096) / 365;
    let day = era_day - (365 * era_year + era_year / 4 - era_year / 100);
    let month = (5 * day + 2) / 153;
    let year = days / 146_097 * 400 + era_year + u64::from(month >= 10);
    let mut text = String::with_capacity(24);
    push(&mut text, year, 4, '-');
    push(&mut text, if month < 10 { month + 3 } else { month - 9 }, 2, '-');
    push(&mut text, day - (153 * month + 2) / 5 + 1, 2, 'T');
    for (unit, mark) in [(3_600_000, ':'), (60_000, ':'), (1000, '.')] {
        push(&mut text, rest / unit, 2, mark);
        rest %= unit;
    }
    push(&mut text, rest, 3, 'Z');
    Some(text)
}

/// A time that the wire prints as text or as milliseconds.
pub fn time(value: Value<'_>) -> Option<std::borrow::Cow<'_, str>> {
    value.str().or_else(|| iso(value.f64()?).map(Into::into))
}

fn push(text: &mut String, number: u64, digits: u32, mark: char) {
    for place in (0..digits).rev() {
        let digit = number / 10u64.pow(place) % 10;
        text.push(char::from(b'0' + digit as u8));
    }
    text.push(mark);
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
            assert_eq!(iso(odd), None);
        }
    }
}
