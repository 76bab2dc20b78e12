import { Hono } from "hono";
import * as v from "valibot";
import { readBody } from "../body.ts";
import type { OnceCodes } from "../once.ts";

const Exchange = v.object({ once: v.string() });

/** The token for a code that is good once. */
export function tokenRoutes({ token, codes }: { readonly token: string; readonly codes: OnceCodes }): Hono {
  const routes = new Hono();
  routes.post("/token", async (context) => {
    const given = await readBody(context, Exchange);
    const isGood = given.kind === "good" && codes.use(given.value.once);
    return isGood ? context.json({ token }) : context.json({ error: "this address was used before, or is too old" }, 401);
  });
  return routes;
}
