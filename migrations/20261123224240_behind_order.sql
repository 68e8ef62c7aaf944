CREATE INDEX "app_user_grade_i" ON "app_user" USING btree ("grade","id");
CREATE INDEX "app_user_region_code_i" ON "app_user" USING btree ("region_code","id");
