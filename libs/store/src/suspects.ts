/**
 * An activation that may be lost only once more is a suspect: either its node kills its process, or it stood beside
 * one that does. What one process held is lost together and would be taken up together again, so a bystander would be
 * lost as often as the culprit and fail with it. Suspects are therefore left out by `claim` and `claimReady`; a worker
 * takes one by `claimSuspect` and lets it run alone. See docs/failure-modes.md.
 */
export const NO_SUSPECTS = 32_767;

/** Losses from which on an activation is a suspect, where `maxLosses` make it fail for good. */
export const suspectAt = (maxLosses: number): number => (maxLosses > 1 ? maxLosses - 1 : NO_SUSPECTS);
