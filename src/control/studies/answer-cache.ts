/** Answers that follow from their question alone, the last few of them; those who ask at once share one. */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  of(question: string, work: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(question);
    this.#answers.delete(question);
    const answer = known ?? Promise.resolve().then(work);
    this.#answers.set(question, answer);
    // A refusal is cheap and need not take the place of an answer.
    if (known === undefined) answer.catch(() => this.#answers.delete(question));
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > this.#max && oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }
}
