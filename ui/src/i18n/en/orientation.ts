export const orientation = {} as const;
