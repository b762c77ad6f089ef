/** An announcement is repeated at most this many doublings later than the first time, however often it was repeated. */
export const DOUBLINGS = 6;

/** How long an activation that was announced `count` times stays unannounced, while messages wait in the queue or not. */
export const announcedAgainAfter = (olderThanMs: number, count: number, isQueueBusy: boolean): number => olderThanMs * (isQueueBusy ? 2 ** Math.min(count, DOUBLINGS) : 1);
