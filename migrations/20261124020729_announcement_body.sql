DROP INDEX "announcement_search_i";
ALTER TABLE "announcement" ADD COLUMN "body" jsonb;
SELECT set_config('app.actor', '{"silent":true}', true);
UPDATE "announcement" SET "body" = jsonb_build_object('t', 'doc', 'v', 1, 'c', (select jsonb_agg(jsonb_build_object('t', 'p', 'c', case when line = '' then '[]'::jsonb else jsonb_build_array(line) end)) from regexp_split_to_table(content, E'\r?\n') as line), 'words', content);
ALTER TABLE "announcement" ALTER COLUMN "body" SET NOT NULL;
CREATE INDEX "announcement_search_i" ON "announcement" USING gin (grams(coalesce("title", '') || ' ' || coalesce("body" ->> 'words', '')));
ALTER TABLE "announcement" ALTER COLUMN "content" DROP NOT NULL;
