/** Runs a call that may well end with an error of such a name: that is then this answer. */
export async function tolerate<Result, Answer>(
  call: Promise<Result>,
  names: RegExp,
  answer: Answer,
): Promise<Result | Answer> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && names.test(error.name)) return answer;
    throw error;
  }
}
