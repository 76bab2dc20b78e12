import { describe, expect, test } from "vitest";
import { tellLater, type Waiter } from "../../src/lib/later.ts";

class Told implements Waiter {
  over = false;
  times = 0;

  stillWaiting(): void {
    this.times += 1;
  }
}

const nextTurn = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("what waits longer than a turn of the event loop is told so", () => {
  test("once, and not what is over by then", async () => {
    const [waits, done] = [new Told(), new Told()];
    tellLater(waits);
    tellLater(done);
    done.over = true;
    await nextTurn();
    await nextTurn();
    expect([waits.times, done.times]).toEqual([1, 0]);
  });

  test("however many came and went meanwhile", async () => {
    const all = Array.from({ length: 5_000 }, (_, index) => {
      const each = new Told();
      tellLater(each);
      each.over = index % 3 !== 0;
      return each;
    });
    await nextTurn();
    expect(all.map(({ times }) => times)).toEqual(all.map((_, index) => (index % 3 === 0 ? 1 : 0)));
  });

  test("also when all of the first were over, and in the turn after that", async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      for (let index = 0; index < 200; index += 1) tellLater({ over: true, stillWaiting: () => expect.unreachable() });
      const waits = new Told();
      tellLater(waits);
      await nextTurn();
      expect(waits.times).toBe(1);
    }
  });
});
