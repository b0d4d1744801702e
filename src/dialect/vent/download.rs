//! Download links of the wire: which URLs may be shown, and under which file name.
//!
//! Both are untrusted. A page that renders them must not be led to another scheme or host by a link that looks local.

/// Whether a URL may become an artifact: `http`, `https`, or a path on the stream's own site.
pub fn allowed(url: &str) -> bool {
    // Browsers drop tabs and line ends inside a URL and take a backslash for a slash: `/\t/host` names a host.
    if url.chars().any(char::is_control) {
        return false;
    }
    let bytes = url.as_bytes();
    if bytes.first() == Some(&b'/') {
        return !matches!(bytes.get(1), Some(b'/' | b'\\'));
    }
    ["http://", "https://"].iter().any(|scheme| {
        let head = url.get(..scheme.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(scheme))
            && url.get(scheme.len()..).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '\\']))
    })
}

/// The name to save it under: the last path part of the wire's file name, else of the URL.
pub fn filename(wire: Option<&str>, url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path =
        path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    [wire.unwrap_or_default(), path].into_iter().find_map(last_part).unwrap_or_else(|| "download".to_owned())
}

fn last_part(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    let name = name.trim();
    (!name.is_empty() && name != "." && name != "..").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_and_site_relative_urls_pass() {
        for good in ["/files/r.docx", "http://h/x", "HTTPS://h/x?y#z", "/"] {
            assert!(allowed(good), "{good}");
        }
        for bad in [
            "",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "//evil.example/x",
            "/\\evil.example",
            "/\t/evil.example",
            "https://",
            "https:///x",
            "file:///etc/passwd",
            " javascript:x",
            "r.docx",
        ] {
            assert!(!allowed(bad), "{bad}");
        }
    }

    #[test]
    fn a_file_name_has_no_path_parts() {
        assert_eq!(filename(Some("../../etc/r.docx"), "/x"), "r.docx");
        assert_eq!(filename(Some("C:\\tmp\\r.docx"), "/x"), "r.docx");
        assert_eq!(filename(Some(".."), "/files/q.pdf?v=1"), "q.pdf");
        assert_eq!(filename(None, "https://h/a/b.pdf#p2"), "b.pdf");
        assert_eq!(filename(None, "https://h"), "download");
        assert_eq!(filename(Some("a\u{0}b\n.txt"), "/x"), "ab.txt");
    }
}
