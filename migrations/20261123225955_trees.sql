ALTER TABLE "chapter" ALTER COLUMN "path" SET DATA TYPE text collate "C";
ALTER TABLE "label" ALTER COLUMN "path" SET DATA TYPE text collate "C";
ALTER TABLE "agent" ADD COLUMN "path" text collate "C";
ALTER TABLE "agent" ADD COLUMN "depth" bigint;
ALTER TABLE "agent" ADD COLUMN "ord" text collate "C";
ALTER TABLE "chapter" ADD COLUMN "ord" text collate "C";
ALTER TABLE "label" ADD COLUMN "ord" text collate "C";
-- Places and keys of what is there already, in the order in which it stood; nobody changed it, so the log stays as it is.
SELECT set_config('app.actor', '{"silent":true}', true);
WITH RECURSIVE down AS (
  SELECT "id", '/'::text AS "path", 0::bigint AS "depth" FROM "agent" WHERE "parent_id" IS NULL
  UNION ALL SELECT a."id", down."path" || a."parent_id" || '/', down."depth" + 1 FROM "agent" a JOIN down ON a."parent_id" = down."id"
) UPDATE "agent" a SET "path" = down."path", "depth" = down."depth" FROM down WHERE a."id" = down."id";
UPDATE "label" SET "path" = '/' WHERE "path" IS NULL;
UPDATE "chapter" SET "path" = '/' WHERE "path" IS NULL;
UPDATE "agent" t SET "ord" = 'c' || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n / 3844 % 62)::int + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n / 62 % 62)::int + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n % 62)::int + 1, 1)
  FROM (SELECT "id", row_number() OVER (PARTITION BY "parent_id" ORDER BY "id") - 1 AS n FROM "agent") x WHERE x."id" = t."id";
UPDATE "label" t SET "ord" = 'c' || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n / 3844 % 62)::int + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n / 62 % 62)::int + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n % 62)::int + 1, 1)
  FROM (SELECT "id", row_number() OVER (PARTITION BY "kind", "subject_id", "parent_id" ORDER BY "sort", "id") - 1 AS n FROM "label") x WHERE x."id" = t."id";
UPDATE "chapter" t SET "ord" = 'c' || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n / 3844 % 62)::int + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n / 62 % 62)::int + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (x.n % 62)::int + 1, 1)
  FROM (SELECT "id", row_number() OVER (PARTITION BY "partwork_id", "parent_id" ORDER BY "sort", "id") - 1 AS n FROM "chapter") x WHERE x."id" = t."id";
CREATE INDEX "agent_path_i" ON "agent" USING btree ("path");
CREATE INDEX "chapter_path_i" ON "chapter" USING btree ("path");
CREATE INDEX "label_path_i" ON "label" USING btree ("path");
drop trigger audit_insert on "agent";
drop trigger audit_update on "agent";
drop trigger audit_delete on "agent";
create trigger audit_insert after insert on "agent" referencing new table as new_rows for each statement execute function audit('depth', 'path');
create trigger audit_update after update on "agent" referencing old table as old_rows new table as new_rows for each statement execute function audit('depth', 'path');
create trigger audit_delete after delete on "agent" referencing old table as old_rows for each statement execute function audit('depth', 'path');
drop trigger audit_insert on "chapter";
drop trigger audit_update on "chapter";
drop trigger audit_delete on "chapter";
create trigger audit_insert after insert on "chapter" referencing new table as new_rows for each statement execute function audit('depth', 'path');
create trigger audit_update after update on "chapter" referencing old table as old_rows new table as new_rows for each statement execute function audit('depth', 'path');
create trigger audit_delete after delete on "chapter" referencing old table as old_rows for each statement execute function audit('depth', 'path');
drop trigger audit_insert on "label";
drop trigger audit_update on "label";
drop trigger audit_delete on "label";
create trigger audit_insert after insert on "label" referencing new table as new_rows for each statement execute function audit('depth', 'path');
create trigger audit_update after update on "label" referencing old table as old_rows new table as new_rows for each statement execute function audit('depth', 'path');
create trigger audit_delete after delete on "label" referencing old table as old_rows for each statement execute function audit('depth', 'path');
