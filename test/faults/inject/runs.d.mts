export declare const WAYS: readonly string[];
/** The runs for so many calls: every so many of them one fails, in every way or each in another. */
export function runsOf(calls: number, options: { readonly step: number; readonly turns: boolean }): readonly { readonly at: number; readonly how: string }[];
