//! Epoch numbers as ISO 8601.

/// `2026-01-02T03:04:05.678Z` of milliseconds since 1970; `None` beyond the year 9999.
pub(super) fn iso_of(milliseconds: u64) -> Option<String> {
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000);
    // Counted in eras of 400 years that begin in March, so that a leap day is the last day of its year.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    if year > 9_999 {
        return None;
    }
    let mut out = String::with_capacity(24);
    let parts = [
        (year, 4, '-'),
        (month, 2, '-'),
        (day_of_month, 2, 'T'),
        (rest / 3_600_000, 2, ':'),
        (rest / 60_000 % 60, 2, ':'),
        (rest / 1_000 % 60, 2, '.'),
        (rest % 1_000, 3, 'Z'),
    ];
    for (number, digits, after) in parts {
        let mut scale = [1_000, 100, 10, 1].into_iter().skip(4 - digits);
        out.extend(scale.by_ref().map(|scale| char::from(b'0' + (number / scale % 10) as u8)));
        out.push(after);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::iso_of;

    #[test]
    fn milliseconds_become_dates() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_767_323_045_678, "2026-01-02T03:04:05.678Z"),
            (1_795_976_970_101, "2026-11-29T18:29:30.101Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ];
        for (milliseconds, date) in cases {
            assert_eq!(iso_of(milliseconds).as_deref(), Some(date));
        }
        assert_eq!(iso_of(253_402_300_800_000), None);
        assert_eq!(iso_of(u64::MAX), None);
    }
}
