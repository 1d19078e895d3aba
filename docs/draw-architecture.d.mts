export const picture: string;
export function drawArchitecture(): string;
