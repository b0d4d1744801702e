//! Agents and nesting: who works under which card, also when the link comes after the items.

use crate::hash::Map;

use super::Run;
use super::item::Item;
use super::kept::{Name, Names};
use crate::event::{self, AgentStatus};

/// A subagent or thread the stream announced.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its key, as `Item::agent_id` uses it.
    pub agent_id: Name,
    /// Display name.
    pub name: Option<Name>,
    /// Its own session on the wire.
    pub session_id: Option<Name>,
    /// The card of the call that runs it.
    pub parent_tool_call_id: Option<Name>,
    /// What it does now.
    pub status: AgentStatus,
    /// Its newest `run` event, if it had one.
    pub run: Option<Run>,
}

/// All agents in the order of their announcement, and the items that stand under cards.
#[derive(Clone, Debug, Default)]
pub(super) struct Agents {
    pub list: Vec<Agent>,
    by_id: Map<Name, usize>,
    /// Agents by the card that runs them.
    run_by: Map<Name, Vec<usize>>,
    /// Items whose own events name the card.
    under_card: Map<Name, Vec<u32>>,
    items: Map<Name, Vec<u32>>,
}

impl Agents {
    pub fn get(&self, agent_id: &str) -> Option<&Agent> {
        self.list.get(*self.by_id.get(agent_id)?)
    }

    pub fn get_mut(&mut self, agent_id: &str) -> Option<&mut Agent> {
        self.list.get_mut(*self.by_id.get(agent_id)?)
    }

    pub fn place_under_card(&mut self, card: &Name, item: u32) {
        self.under_card.enter(Name::clone(card)).push(item);
    }

    pub fn place_with_agent(&mut self, agent: &Name, item: u32) {
        self.items.enter(Name::clone(agent)).push(item);
    }

    /// Takes an announcement; absent fields keep what is known. Tells whether its items moved to another card.
    pub fn announce(&mut self, told: &event::Agent<'_>, names: &mut Names) -> bool {
        let index = match self.by_id.get(told.agent_id) {
            Some(index) => *index,
            None => self.add(names.name(told.agent_id)),
        };
        let Some(agent) = self.list.get_mut(index) else { return false };
        if told.status != AgentStatus::Unknown {
            agent.status = told.status;
        }
        if let Some(name) = told.name {
            agent.name = Some(names.name(name));
        }
        if let Some(session) = told.session_id {
            agent.session_id = Some(names.name(session));
        }
        let Some(card) = told.parent_tool_call_id else { return false };
        if agent.parent_tool_call_id.as_deref() == Some(card) {
            return false;
        }
        let card = names.name(card);
        if let Some(earlier) = agent.parent_tool_call_id.replace(Name::clone(&card))
            && let Some(agents) = self.run_by.get_mut(&earlier)
        {
            agents.retain(|other| *other != index);
        }
        self.run_by.enter(card).push(index);
        true
    }

    fn add(&mut self, agent_id: Name) -> usize {
        let index = self.list.len();
        self.by_id.insert(Name::clone(&agent_id), index);
        self.list.push(Agent {
            agent_id,
            name: None,
            session_id: None,
            parent_tool_call_id: None,
            status: AgentStatus::Unknown,
            run: None,
        });
        index
    }

    /// Items of an agent in ascending order.
    pub fn items_of(&self, agent_id: &str) -> Vec<u32> {
        let mut items = self.items.get(agent_id).cloned().unwrap_or_default();
        items.sort_unstable();
        items
    }

    /// Agents that a card runs.
    pub fn run_by(&self, card: &str) -> impl Iterator<Item = &Agent> {
        self.run_by.get(card).into_iter().flatten().filter_map(|index| self.list.get(*index))
    }

    /// Card of an item: the one its own events name, else the one of its agent.
    pub fn parent_of(&self, item: &Item) -> Option<Name> {
        let own = item.parent_tool_call_id.as_ref();
        let of_agent = || self.get(item.agent_id.as_deref()?)?.parent_tool_call_id.as_ref();
        own.or_else(of_agent).cloned()
    }

    /// Items under a card, ascending. An item's own word goes before its agent's.
    pub fn children(&self, card: &str, items: &[Item]) -> Vec<u32> {
        let mut children = self.under_card.get(card).cloned().unwrap_or_default();
        for agent in self.run_by(card) {
            let silent = |number: &&u32| {
                items.get(**number as usize).is_some_and(|item| item.parent_tool_call_id.is_none())
            };
            children.extend(self.items.get(&agent.agent_id).into_iter().flatten().filter(silent));
        }
        children.sort_unstable();
        children
    }
}
