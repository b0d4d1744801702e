//! An allocator that counts what the thread asks of it, for tests that promise how little that is.
#![allow(dead_code, reason = "each test file uses a part")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
    static TRAP: Cell<bool> = const { Cell::new(false) };
}

fn count(bytes: usize) {
    // A thread that ends has no counters any more.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|count| count.set(count.get() + bytes as u64));
    if TRAP.try_with(|trap| trap.replace(false)).unwrap_or(false) {
        // The trap is open while the backtrace allocates, and set again for the next allocation.
        eprintln!("{bytes} bytes at\n{}", std::backtrace::Backtrace::force_capture());
        let _ = TRAP.try_with(|trap| trap.set(true));
    }
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches plain cells and allocates nothing, and
// the trap prints only while it is open, so it never enters itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a thread: how many, and their bytes. Growing in place counts as one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    pub allocations: u64,
    pub bytes: u64,
}

impl Work {
    /// What this thread has allocated so far.
    pub fn now() -> Work {
        Work { allocations: COUNT.get(), bytes: BYTES.get() }
    }

    /// What this thread has allocated since.
    pub fn since(before: Work) -> Work {
        let now = Work::now();
        Work { allocations: now.allocations - before.allocations, bytes: now.bytes - before.bytes }
    }
}

/// Prints a backtrace for every allocation of this thread while `on`.
pub fn trap(on: bool) {
    TRAP.set(on);
}
