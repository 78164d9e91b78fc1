/** What exists under the configured names is not what the engine needs. */
export class OtherShape extends Error {
  constructor(differences: readonly string[]) {
    super(['What exists has another shape:', ...differences.map((line) => `  ${line}`)].join('\n'));
    this.name = 'OtherShape';
  }
}

export function refuseOtherShape(differences: readonly string[]): void {
  if (differences.length > 0) throw new OtherShape(differences);
}
