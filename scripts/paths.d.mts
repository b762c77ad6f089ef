export const root: string;
export const node24: string;
export const nodeFlags: readonly string[];
export const stateFolder: string;
export function fromRoot(...parts: string[]): string;
