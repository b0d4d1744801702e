//! Epoch numbers as ISO 8601.

/// A date, written without an allocation: every piece of a text has one.
pub(super) struct Iso([u8; 24]);

impl Iso {
    /// `2026-01-02T03:04:05.678Z` of milliseconds since 1970; `None` beyond the year 9999.
    pub fn of(milliseconds: u64) -> Option<Iso> {
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
        let mut out = *b"0000-00-00T00:00:00.000Z";
        // Where each number ends, and the number.
        let parts = [
            (4, year),
            (7, month),
            (10, day_of_month),
            (13, rest / 3_600_000),
            (16, rest / 60_000 % 60),
            (19, rest / 1_000 % 60),
            (23, rest % 1_000),
        ];
        for (end, mut number) in parts {
            for digit in out.get_mut(..end)?.iter_mut().rev() {
                if !digit.is_ascii_digit() {
                    break;
                }
                *digit = b'0' + (number % 10) as u8;
                number /= 10;
            }
        }
        (year <= 9_999).then_some(Iso(out))
    }

    /// The date as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Iso;

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
            assert_eq!(Iso::of(milliseconds).expect("a date").as_str(), date);
        }
        assert!(Iso::of(253_402_300_800_000).is_none());
        assert!(Iso::of(u64::MAX).is_none());
    }
}
