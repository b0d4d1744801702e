//! Shared state: the last snapshot with the patches after it applied.

use agent_ui_events::transcript::Session;
use serde_json::Value;

/// The state now; null when none came or a patch does not fit.
pub(super) fn of(session: &Session) -> Value {
    let parse = |raw: &str| serde_json::from_str::<Value>(raw).unwrap_or(Value::Null);
    let mut state = session.state_snapshot().map_or(Value::Null, |raw| parse(raw.0));
    for patch in session.state_patches() {
        let patch = parse(patch.0);
        for step in patch.as_array().map_or(&[][..], Vec::as_slice) {
            if apply(&mut state, step).is_none() {
                return Value::Null;
            }
        }
    }
    state
}

/// One operation of a JSON Patch (RFC 6902).
fn apply(state: &mut Value, step: &Value) -> Option<()> {
    let text = |key: &str| step.get(key).and_then(Value::as_str);
    let path = text("path")?;
    match text("op")? {
        "add" => add(state, path, step.get("value")?.clone()),
        "replace" => {
            *state.pointer_mut(path)? = step.get("value")?.clone();
            Some(())
        }
        "remove" => remove(state, path).map(|_| ()),
        "move" => {
            let value = remove(state, text("from")?)?;
            add(state, path, value)
        }
        "copy" => {
            let value = state.pointer(text("from")?)?.clone();
            add(state, path, value)
        }
        "test" => (state.pointer(path)? == step.get("value")?).then_some(()),
        _ => None,
    }
}

fn add(state: &mut Value, path: &str, value: Value) -> Option<()> {
    let Some((parent, key)) = path.rsplit_once('/') else {
        *state = value;
        return Some(());
    };
    match state.pointer_mut(parent)? {
        Value::Object(members) => drop(members.insert(unescaped(key), value)),
        Value::Array(list) if key == "-" => list.push(value),
        Value::Array(list) => {
            let index = key.parse().ok().filter(|index| *index <= list.len())?;
            list.insert(index, value);
        }
        _ => return None,
    }
    Some(())
}

fn remove(state: &mut Value, path: &str) -> Option<Value> {
    let (parent, key) = path.rsplit_once('/')?;
    match state.pointer_mut(parent)? {
        Value::Object(members) => members.remove(&unescaped(key)),
        Value::Array(list) => {
            let index = key.parse().ok().filter(|index| *index < list.len())?;
            Some(list.remove(index))
        }
        _ => None,
    }
}

fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn patches_are_applied_step_by_step() {
        let mut state = json!({"list": [1, 3], "a/b": {"x": 1}});
        for step in [
            json!({"op": "add", "path": "/list/1", "value": 2}),
            json!({"op": "add", "path": "/list/-", "value": 4}),
            json!({"op": "test", "path": "/list", "value": [1, 2, 3, 4]}),
            json!({"op": "remove", "path": "/list/0"}),
            json!({"op": "replace", "path": "/a~1b/x", "value": 2}),
            json!({"op": "move", "from": "/a~1b/x", "path": "/y"}),
            json!({"op": "copy", "from": "/y", "path": "/a~1b/z"}),
        ] {
            assert_eq!(apply(&mut state, &step), Some(()), "{step}");
        }
        assert_eq!(state, json!({"list": [2, 3, 4], "a/b": {"z": 2}, "y": 2}));
        for step in [
            json!({"op": "test", "path": "/y", "value": 3}),
            json!({"op": "replace", "path": "/none", "value": 3}),
            json!({"op": "add", "path": "/list/9", "value": 3}),
        ] {
            assert_eq!(apply(&mut state, &step), None, "{step}");
        }
    }
}
