CREATE TABLE "reveal_count" (
	"staff_id" bigint NOT NULL,
	"day" integer NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "reveal_count_staff_id_day_pk" PRIMARY KEY("staff_id","day")
);

