//! Epoch numbers as ISO 8601 text: the form in which every event carries its time.

/// `2026-01-02T03:04:05.678Z` of milliseconds since 1970; `None` outside the years 1970 to 9999.
pub fn iso_of_millis(millis: f64) -> Option<String> {
    const LAST: f64 = 253_402_300_799_999.0;
    if !(0.0..=LAST).contains(&millis) {
        return None;
    }
    let millis = millis as u64;
    let (days, of_day) = (millis / 86_400_000, millis % 86_400_000);
    let (year, month, day) = date(days);
    let mut text = String::with_capacity(24);
    let seconds = of_day / 1000;
    let parts = [
        (year, 4, '-'),
        (month, 2, '-'),
        (day, 2, 'T'),
        (seconds / 3600, 2, ':'),
        (seconds / 60 % 60, 2, ':'),
        (seconds % 60, 2, '.'),
        (of_day % 1000, 3, 'Z'),
    ];
    for (number, digits, after) in parts {
        for place in (0..digits).rev() {
            let digit = (number / 10_u64.pow(place) % 10) as u8;
            text.push(char::from(b'0' + digit));
        }
        text.push(after);
    }
    Some(text)
}

/// Year, month and day of a day since 1970. Years are counted from March, so that the leap day comes last.
fn date(days: u64) -> (u64, u64, u64) {
    let since_march = days + 719_468;
    let (era, of_era) = (since_march / 146_097, since_march % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_dates() {
        let cases = [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000.0, "2000-02-29T00:00:00.000Z"),
            (1_760_000_000_123.0, "2025-10-09T08:53:20.123Z"),
            (253_402_300_799_999.0, "9999-12-31T23:59:59.999Z"),
        ];
        for (millis, date) in cases {
            assert_eq!(iso_of_millis(millis).as_deref(), Some(date));
        }
    }

    #[test]
    fn what_is_no_date_stays_absent() {
        for millis in [-1.0, f64::NAN, f64::INFINITY, 1e15] {
            assert_eq!(iso_of_millis(millis), None);
        }
    }
}
