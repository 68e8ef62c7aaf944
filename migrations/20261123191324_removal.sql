-- Books of a version that were entered twice without an edition: the later ones get their number behind the name, and both stay.
SELECT set_config('app.actor', '{"reason":"同一版本下重名，已加编号区分"}', true);
UPDATE "partwork" p SET "name" = left(p."name", 18) || '（' || p."id" || '）', "rev" = p."rev" + 1, "updated_at" = now() WHERE p."deleted_at" is null AND p."edition_year" is null
  AND EXISTS (SELECT 1 FROM "partwork" o WHERE o."version_id" = p."version_id" AND o."name" = p."name" AND o."edition_year" is null AND o."deleted_at" is null AND o."id" < p."id");
DROP INDEX "partwork_version_id_name_edition_year_u";
CREATE INDEX "app_school_unit_ids_i" ON "app_school" USING gin ("unit_ids") WHERE deleted_at is null;
CREATE INDEX "paper_lesson_ids_i" ON "paper" USING gin ("lesson_ids") WHERE deleted_at is null;
CREATE INDEX "label_prereq_ids_i" ON "label" USING gin ("prereq_ids") WHERE deleted_at is null;
CREATE INDEX "member_card_room_ids_i" ON "member_card" USING gin ("room_ids") WHERE deleted_at is null;
CREATE INDEX "micro_lesson_label_ids_i" ON "micro_lesson" USING gin ("label_ids") WHERE deleted_at is null;
CREATE UNIQUE INDEX "partwork_version_id_edition_year_name_u" ON "partwork" USING btree ("version_id","edition_year","name") NULLS NOT DISTINCT WHERE deleted_at is null;
CREATE INDEX "school_student_unit_ids_i" ON "school_student" USING gin ("unit_ids") WHERE deleted_at is null;
CREATE INDEX "school_teacher_cell_ids_i" ON "school_teacher" USING gin ("cell_ids") WHERE deleted_at is null;
