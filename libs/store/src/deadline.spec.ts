import { describe, expect, it } from 'vitest';
import { laterDeadline, openWork, SHORT_WAIT_MS, type OpenWork } from './deadline.ts';

const busy: OpenWork = { parkedUntil: undefined, wokenAt: null };
const HOUR = 3_600_000;

describe('the deadline of an execution that seems overdue', () => {
  it('moves on while the execution lies in the queue', () => {
    expect(laterDeadline({ beganAt: null, hasMoved: false, isWaiting: false, activations: [busy] }, 100, 1_000)).toBe(1_100);
  });

  it('counts from the first node, not from the start', () => {
    expect(laterDeadline({ beganAt: 950, hasMoved: false, isWaiting: false, activations: [busy] }, 100, 1_000)).toBe(1_050);
    expect(laterDeadline({ beganAt: 900, hasMoved: false, isWaiting: false, activations: [busy] }, 100, 1_000)).toBeNull();
  });

  it('is passed when the execution has been at work all the time', () => {
    expect(laterDeadline({ beganAt: 990, hasMoved: true, isWaiting: false, activations: [busy] }, 100, 1_000)).toBeNull();
  });

  it('stands still while all of it waits, whatever it waits for', () => {
    const parked = (...untils: (number | null)[]) => ({ beganAt: 0, hasMoved: true, isWaiting: true, activations: untils.map((parkedUntil) => ({ parkedUntil, wokenAt: null })) });
    expect(laterDeadline(parked(5_000), 100, 1_000)).toBe(5_100);
    expect(laterDeadline(parked(5_000, 3_000, null), 100, 1_000)).toBe(3_100);
    expect(laterDeadline(parked(null), 100, 1_000)).toBe(1_000 + HOUR + 100);
    expect(laterDeadline(parked(10 * HOUR), 100, 1_000)).toBe(1_000 + HOUR + 100);
    expect(laterDeadline(parked(900), 100, 1_000)).toBe(1_100);
  });

  it('runs on while one branch works or waits for a called execution', () => {
    expect(laterDeadline({ beganAt: 0, hasMoved: true, isWaiting: false, activations: [busy, { parkedUntil: 5_000, wokenAt: null }] }, 100, 1_000)).toBeNull();
    expect(laterDeadline({ beganAt: 0, hasMoved: true, isWaiting: true, activations: [busy, { parkedUntil: 5_000, wokenAt: null }] }, 100, 1_000)).toBeNull();
  });

  it('begins anew when the wait has ended', () => {
    const woken = { beganAt: 0, hasMoved: true, isWaiting: true, activations: [{ parkedUntil: undefined, wokenAt: 980 }] };
    expect(laterDeadline(woken, 100, 1_000)).toBe(1_080);
    expect(laterDeadline(woken, 10, 1_000)).toBeNull();
  });

  it('takes a short wait, and one for a called execution, for work', () => {
    const waiting = { status: 'waiting', startedAt: 1_000, readyAt: 900, resumed: false } as const;
    const until = 1_000 + SHORT_WAIT_MS;
    expect(openWork({ ...waiting, wait: { wait: 'time', until: until - 1 } })).toEqual(busy);
    expect(openWork({ ...waiting, wait: { wait: 'children', until: null } })).toEqual(busy);
    expect(openWork({ ...waiting, wait: { wait: 'time', until } })).toEqual({ parkedUntil: until, wokenAt: null });
    expect(openWork({ ...waiting, wait: { wait: 'human', until: null } })).toEqual({ parkedUntil: null, wokenAt: null });
    expect(openWork({ ...waiting, wait: { wait: 'callback', until: until - 1 } })).toEqual({ parkedUntil: until - 1, wokenAt: null });
    const woken = { status: 'ready', startedAt: 1_000, readyAt: 70_000, resumed: true } as const;
    expect(openWork({ ...woken, wait: { wait: 'time', until } })).toEqual({ parkedUntil: undefined, wokenAt: 70_000 });
    expect(openWork({ ...woken, wait: { wait: 'time', until: until - 1 } })).toEqual(busy);
    expect(openWork({ ...woken, wait: null })).toEqual(busy);
  });
});
