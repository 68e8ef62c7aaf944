-- Things with states: `state` is the column, `status` on the wire is its reading as a switch.
ALTER TABLE "paper" RENAME COLUMN "status" TO "state";
--> statement-breakpoint
ALTER TABLE "micro_lesson" RENAME COLUMN "status" TO "state";
--> statement-breakpoint
ALTER INDEX "paper_kind_subject_id_status_source_year_exam_region_id_i" RENAME TO "paper_kind_subject_id_state_source_year_exam_region_id_i";
--> statement-breakpoint
ALTER TABLE "paper" ADD COLUMN "label_ids" bigint[];
--> statement-breakpoint
-- Views that people have saved go on finding what they found.
UPDATE "saved_view" SET "query" = regexp_replace("query", '(^|&)status=', '\1state=', 'g'), "columns" = replace("columns"::text, '"status"', '"state"')::jsonb
  WHERE "list" ~ '^((base|micro)_paper|micro_lesson)_';
