CREATE TABLE "upload_day" (
	"staff_id" bigint NOT NULL,
	"day" date NOT NULL,
	"files" integer NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "upload_day_staff_id_day_pk" PRIMARY KEY("staff_id","day")
);

