// All commands of the window, each with its effect on memory. `service.method(…)` has the signature of the method that
// answers, a service of the application (`events` is no argument of the page); `module::function` is written by hand.
// Without an answer the method neither waits nor fails. The order is that of the TypeScript.
//
// reads      changes nothing
// acts       changes something without adding to memory (channels, messages, settings, backups), or removes
// decides    is reserved for the worldbuilder: refused to agents
// remembers  adds to memory as the calling actor: refused to agents while memory is off
// derives    creates memory from messages or notes: refused to all actors while memory is off
commands! {
    /// The status of the app.
    reads settings.app_status() -> AppStatus;
    /// Opens a folder of the data in the system's file manager.
    reads settings.open_folder(folder: DataFolder) -> ();
    /// All workspaces, by name.
    reads workspace.list_workspaces() -> Vec<WorkspaceView>;
    /// Creates a workspace; does not switch to it.
    acts workspace.create_workspace(name: &str) -> WorkspaceView;
    acts workspace::switch_workspace;
    /// Renames a workspace.
    acts workspace.rename_workspace(id: &str, name: &str) -> WorkspaceView;
    acts workspace::delete_workspace;
    acts workspace::load_sample_world;
    /// Stores that the sample world was declined.
    acts workspace.dismiss_sample() -> ();
    /// All channels of the open workspace, or of the one with this id.
    reads workspace.list_channels(workspace: Option<&str>) -> Vec<ChannelView>;
    /// Number of entries per tier.
    reads memory.scope_counts(filter: MemoryFilter) -> ScopeCounts;
    /// Facet values with their counts.
    reads memory.facet_counts(filter: MemoryFilter, query: Option<String>) -> Vec<FacetValues>;
    /// A page of a list.
    reads memory.list_memories(request: ListRequest) -> MemoryPage;
    /// Searches memory.
    reads memory.search_memories(request: SearchRequest) -> SearchResponse;
    /// Searches documents of every kind, in one order.
    reads search.search_documents(request: DocumentSearchRequest) -> DocumentSearch;
    /// The saved searches in the worldbuilder's order.
    reads search.list_saved_searches() -> Vec<SavedSearch>;
    /// Saves a search at a place counted from 0, or at the end. Answers with all saved searches, as each change of them.
    acts search.save_search(name: &str, view: &SavedView, place: Option<u32>) -> Vec<SavedSearch>;
    /// Gives a saved search another name.
    acts search.rename_saved_search(id: &str, name: &str) -> Vec<SavedSearch>;
    /// Moves a saved search to a place counted from 0.
    acts search.move_saved_search(id: &str, place: u32) -> Vec<SavedSearch>;
    /// Removes a saved search.
    acts search.remove_saved_search(id: &str) -> Vec<SavedSearch>;
    /// One entry with its full content.
    reads memory.get_memory(id: &str) -> MemoryDetail;
    remembers memory::create_memory;
    /// Changes an entry that was read at `version`.
    remembers memory.update_memory(id: &str, version: u32, patch: MemoryPatch) -> WriteResult;
    acts memory::forget_memories;
    /// Restores forgotten entries.
    remembers memory.restore_memories(ids: &[String]) -> Change;
    /// Adds and removes tags.
    remembers memory.tag_memories(ids: &[String], add: &[String], remove: &[String]) -> Change;
    /// Applies the same properties to entries.
    remembers memory.set_memory_properties(ids: &[String], properties: BulkProperties) -> Change;
    /// Moves entries to another tier, channel or conversation.
    acts memory.move_memories(ids: &[String], to: &MoveTarget) -> Change;
    /// Undoes a change.
    remembers memory.undo_change(change_id: &str) -> Change;
    /// Undoes the newest change of the worldbuilder.
    remembers memory.undo_last() -> Change;
    /// All versions of an entry, newest first.
    reads memory.memory_history(id: &str) -> Vec<HistoryItem>;
    /// Restores an earlier version of an entry.
    remembers memory.restore_version(id: &str, version: u32, current_version: u32) -> WriteResult;
    /// The relevance of an entry over time.
    reads memory.decay_curve(id: &str) -> DecayCurve;
    reads settings::preview_decay;
    /// The current settings.
    reads settings.get_settings() -> Settings;
    /// Replaces all settings.
    acts settings.update_settings(settings: Settings) -> Settings;
    /// The settings of search.
    reads settings.search_settings() -> SearchSettings;
    /// Chooses the fusion strategy of searches that name none.
    acts settings.set_search_strategy(strategy: &str) -> SearchSettings;
    reads model::list_models;
    /// Status of vector search.
    reads model.model_status() -> ModelStatus;
    acts model::fetch_model;
    /// Cancels the running download.
    acts model.cancel_fetch();
    acts model::use_model;
    acts model::use_model_folder;
    acts model::set_own_model;
    acts model::embed_now;
    /// Creates a channel.
    acts channel.create_channel(name: &str, description: &str) -> ChannelView;
    /// Changes a channel; `null` fields are left unchanged.
    acts channel.update_channel(id: &str, name: Option<&str>, description: Option<&str>) -> ChannelView;
    /// Archives a channel.
    acts channel.archive_channel(id: &str) -> ChannelView;
    /// Restores an archived channel.
    acts channel.restore_channel(id: &str) -> ChannelView;
    /// Deletes a channel and moves its contents to another channel.
    acts channel.delete_channel(id: &str, move_to: Option<&str>) -> ();
    /// Starts a conversation, in `#general` if no channel is given.
    acts conversation.start_conversation(channel_id: Option<&str>, title: &str) -> ConversationView;
    /// A page of conversations, latest activity first.
    reads conversation.list_conversations(request: ConversationList) -> ConversationPage;
    /// A conversation by id or reference code.
    reads conversation.get_conversation(conversation: &str) -> ConversationView;
    /// Changes the title of a conversation.
    acts conversation.rename_conversation(conversation: &str, title: &str) -> ConversationView;
    /// Moves a conversation, with its memories, to another channel.
    acts conversation.move_conversation(conversation: &str, channel_id: &str) -> ConversationView;
    /// Ends a conversation.
    acts conversation.idle_conversation(conversation: &str) -> ConversationView;
    /// Archives a conversation.
    acts conversation.archive_conversation(conversation: &str) -> ConversationView;
    /// Starts a new conversation that continues this one.
    acts conversation.continue_conversation(conversation: &str) -> ConversationView;
    /// Starts a branch of a conversation from before the message at a position.
    acts conversation.branch_conversation(conversation: &str, at: u32) -> ConversationView;
    /// Chooses the model of a conversation.
    acts conversation.set_conversation_model(conversation: &str, model: Option<&str>) -> ConversationView;
    /// The branches of a conversation.
    reads conversation.list_branches(conversation: &str) -> Vec<ConversationLink>;
    /// Deletes the messages of a conversation.
    acts conversation.delete_conversation(conversation: &str) -> ();
    /// Previews the import of a file of conversations.
    reads conversation.preview_conversation_import(
        path: &Path, events: Arc<dyn Events>
    ) -> ConversationImportPreview;
    /// Imports a file of conversations completely or not at all; with `partial`, what can be read of it.
    acts conversation.import_conversations(
        path: &Path, channel_id: Option<&str>, partial: bool, events: Arc<dyn Events>
    ) -> ConversationImportReport;
    /// Cancels the running import.
    acts conversation.cancel_conversation_import();
    /// The conversation settings of the workspace.
    reads conversation.conversation_settings() -> ConversationSettings;
    /// Replaces all conversation settings.
    acts conversation.set_conversation_settings(settings: ConversationSettings) -> ConversationSettings;
    /// A page of a transcript.
    reads conversation.list_messages(conversation: &str, range: MessageRange, limit: u32) -> MessagePage;
    /// Sets the importance of a message.
    acts conversation.set_message_importance(id: &str, importance: f64) -> MessageView;
    /// Searches messages.
    reads conversation.search_messages(request: MessageSearchRequest) -> MessageSearch;
    /// The current or previewed context of the World Agent.
    reads conversation.preview_context(conversation: &str, query: Option<&str>) -> ContextView;
    /// Previews the compaction of a conversation.
    reads conversation.preview_compaction(
        conversation: &str, retain: Option<u32>
    ) -> Option<CompactionPreview>;
    /// Compacts a conversation. Gives the marker message.
    derives conversation.compact_conversation(
        conversation: &str, retain: Option<u32>, name: Option<&str>
    ) -> Option<MessageView>;
    /// All episodes of a conversation, oldest first.
    reads conversation.list_episodes(conversation: &str) -> Vec<EpisodeView>;
    /// Summarises older turns into episodes and gives the new ones.
    derives conversation.summarise_old_turns(
        conversation: &str, retain_last: Option<u32>, max_age_days: Option<u32>
    ) -> Vec<EpisodeView>;
    /// Removes an episode from use.
    acts conversation.remove_episode(id: &str) -> ();
    /// Stores a message of the worldbuilder, with the texts of files as attachments; the answer is sent as events.
    acts conversation.say(
        conversation: &str, text: &str, files: &[PathBuf], events: Arc<dyn Events>
    ) -> SentMessage;
    /// Answers the last message again.
    acts conversation.answer_again(conversation: &str, events: Arc<dyn Events>) -> ();
    /// Stops the answer; the text received so far is stored.
    acts conversation.cancel_answer(conversation: &str) -> ();
    /// The language model settings.
    reads model.chat_settings() -> ChatSettings;
    /// Connects an endpoint, or disconnects.
    acts model.set_chat_endpoint(
        endpoint: Option<ChatEndpoint>, key: Option<String>, forget_key: bool
    ) -> ChatSettings;
    /// Asks an endpoint for its list of models.
    reads model.test_chat_endpoint(endpoint: ChatEndpoint, key: Option<String>) -> EndpointTest;
    reads model::running_models;
    /// The tokens that models used in all worlds, of the last days.
    reads model.token_usage(days: u32) -> Vec<TokenUsage>;
    /// The notes of a conversation, or the newest of all conversations.
    reads scratchpad.list_scratchpad(conversation: Option<&str>) -> Vec<NoteView>;
    /// Reads a scratchpad note.
    reads scratchpad.read_scratchpad(conversation: &str, key: &str) -> Option<NoteView>;
    /// Writes a scratchpad note.
    acts scratchpad.write_scratchpad(
        conversation: &str, key: &str, value: &str, ttl_seconds: Option<u32>
    ) -> NoteView;
    /// Removes one scratchpad note or all.
    acts scratchpad.clear_scratchpad(conversation: &str, key: Option<&str>, working_only: bool) -> u32;
    /// A page of facts.
    reads fact.list_facts(request: FactList) -> FactPage;
    remembers fact::set_fact;
    /// Sets the value of a fact at the time in the story that it has.
    remembers fact.change_fact(id: &str, value: &str, conversation: Option<&str>) -> FactWrite;
    remembers fact::set_fact_time;
    /// Sets who knows of a fact. Nobody named: everybody does.
    remembers fact.set_fact_known_by(id: &str, knowers: &[KnowerSpec]) -> FactView;
    /// Removes a fact's value.
    acts fact.remove_fact(id: &str) -> FactView;
    /// All values of a fact, newest first.
    reads fact.fact_history(id: &str) -> Vec<FactValueView>;
    /// Accepts or rejects a claim that contradicts the worldbuilder's value.
    decides fact.settle_claim(id: &str, accept: bool) -> FactView;
    /// A page of contradictions between what is canon and what is stated elsewhere, newest first.
    acts drift.list_drifts(request: DriftRequest) -> DriftPage;
    /// Number of open contradictions as of the last look, and of facts with an open claim.
    reads drift.count_drifts() -> u32;
    /// Settles a contradiction.
    decides drift.settle_drift(id: &str, settlement: DriftSettlement) -> DriftView;
    /// All named entries: VOICE and SOUL first.
    reads named_entry.list_named_entries() -> Vec<NamedEntryView>;
    /// Adds a named entry.
    decides named_entry.add_named_entry(request: NewNamedEntry) -> NamedWritten;
    /// Writes a named entry's text, which may be empty.
    decides named_entry.write_named_entry(id: &str, version: u32, content: &str) -> NamedWritten;
    /// Renames a named entry and keeps the old name as an alias.
    decides named_entry.rename_named_entry(id: &str, version: u32, name: &str) -> NamedWritten;
    /// Adds an alias to a named entry.
    decides named_entry.alias_named_entry(id: &str, version: u32, alias: &str, rebind: bool) -> NamedWritten;
    /// Removes a named entry with its aliases. Gives the change, for undo.
    decides named_entry.remove_named_entry(id: &str, version: u32) -> String;
    /// All subjects by name, or those of a kind.
    reads subject.list_subjects(kind: Option<&str>) -> SubjectList;
    /// Names that recur in the newest memories and messages, and are no name of an entry.
    reads subject.suggest_subjects() -> Vec<NameSuggestion>;
    /// All subjects and the relations between them, as far as a lens shows them.
    reads subject.world_graph(lens: Option<&LensSpec>) -> GraphView;
    /// A subject with what is linked to it.
    reads subject.get_subject(id: &str) -> SubjectView;
    /// Adds a subject, a named entry of the workspace with a kind. Its text may be empty.
    decides subject.add_subject(name: &str, kind: &str, content: &str) -> WriteResult;
    /// Makes a named entry a subject of this kind; without a kind, no subject any more.
    decides subject.set_subject(id: &str, version: u32, kind: Option<&str>) -> WriteResult;
    /// Adds a relation between two subjects.
    remembers subject.add_relation(request: NewRelation) -> WriteResult;
    /// Sets the subjects that a memory is about.
    remembers subject.set_about(id: &str, version: u32, subjects: &[String]) -> WriteResult;
    /// The calendars of the workspace, the oldest first, and definitions to start from.
    reads calendar.list_calendars() -> CalendarList;
    /// Adds a calendar.
    decides calendar.add_calendar(name: &str, definition: &CalendarDefinition) -> WriteResult;
    /// Replaces the definition of a calendar. Entries keep their moments; some may read as other dates.
    decides calendar.define_calendar(id: &str, version: u32, definition: &CalendarDefinition) -> WriteResult;
    /// How a date reads in a calendar of the workspace, or in the first one.
    reads calendar.read_date(text: &str, calendar: Option<&str>) -> DateReading;
    /// Sets when an entry holds in the story, and the reading number of a chapter.
    remembers calendar.set_story_time(id: &str, version: u32, request: &NewStoryTime) -> WriteResult;
    /// A page of the entries that have a time in the story, by their start.
    reads calendar.list_timeline(request: &TimelineRequest) -> TimelineView;
    /// The marks of a scale between two days of story time, at most so many, as the calendar of the workspace writes them.
    reads calendar.timeline_ticks(request: &TickRequest) -> Vec<TickView>;
    /// Chapters and sessions in the order of reading.
    reads calendar.list_chapters() -> Vec<TimelineRow>;
    /// The age of a subject (a name, an alias or an id) at a date.
    reads calendar.age_at(subject: &str, text: &str, calendar: Option<&str>) -> AgeView;
    /// Reads a lens as it is typed; `null` without one.
    reads lens.read_lens(lens: &LensSpec) -> Option<LensView>;
    /// Sets who knows of an entry. Nobody named: everybody does.
    remembers lens.set_known_by(id: &str, version: u32, knowers: &[KnowerSpec]) -> WriteResult;
    /// Sets the lens of a conversation in which nothing was said yet.
    acts lens.set_conversation_lens(conversation: &str, lens: &LensSpec) -> ConversationView;
    /// Previews an orientation.
    reads orientation.orient(request: OrientRequest) -> OrientationView;
    /// Why an orientation holds an entry, or does not.
    reads orientation.why_orientation(request: WhyRequest) -> WhyView;
    /// A page of a conversation's ledger, newest first.
    reads orientation.list_orientations(
        conversation: &str, after: Option<&str>, limit: u32
    ) -> OrientationPage;
    /// A page of the recorded reads by tools and clients, newest first.
    reads orientation.list_reads(
        conversation: Option<&str>, client: Option<&str>, after: Option<&str>, limit: u32
    ) -> ReadPage;
    /// One orientation of the ledger.
    reads orientation.get_orientation(id: &str) -> OrientationView;
    /// The orientation settings.
    reads orientation.orientation_settings() -> OrientationSettings;
    /// Replaces all orientation settings.
    acts orientation.set_orientation_settings(settings: OrientationSettings) -> OrientationSettings;
    /// A page of proposals, newest first.
    reads proposal.list_proposals(request: ProposalRequest) -> ProposalPage;
    /// Number of open proposals.
    reads proposal.count_proposals() -> u32;
    /// Decides proposals, each independently.
    decides proposal.decide_proposals(ids: &[String], decision: Decision) -> Decided;
    /// A page of what agents did, newest first.
    reads agent_telemetry.list_agent_actions(filter: &AgentActionFilter) -> AgentActionPage;
    /// The sequences whose steps match a query, best first; the newest ones for an empty query.
    reads agent_telemetry.search_agent_sequences(query: &str, limit: u32) -> Vec<AgentSequenceView>;
    /// All patterns of what agents do, those with the most sequences first.
    reads agent_telemetry.list_agent_patterns() -> Vec<AgentPatternView>;
    /// Judges a pattern; without a word the judgement is taken away.
    acts agent_telemetry.annotate_agent_pattern(
        id: &str, annotation: Option<PatternAnnotation>
    ) -> AgentPatternView;
    /// Hides a pattern from agents, or shows it again.
    acts agent_telemetry.suppress_agent_pattern(id: &str, suppress: bool) -> AgentPatternView;
    /// The values of every metric over the last days.
    reads agent_telemetry.agent_metrics(days: u32) -> Vec<MetricSeriesView>;
    /// Defines a metric, and answers its id.
    acts agent_telemetry.define_agent_metric(request: &MetricRequest) -> String;
    /// The settings of telemetry.
    reads agent_telemetry.agent_telemetry_settings() -> AgentTelemetrySettings;
    /// Stores the settings of telemetry.
    acts agent_telemetry.set_agent_telemetry_settings(settings: AgentTelemetrySettings) -> ();
    /// All recall tests with their last results, oldest first.
    reads recall_test.list_recall_tests() -> Vec<RecallTestView>;
    /// Adds a recall test and runs it.
    acts recall_test.add_recall_test(request: RecallTestRequest) -> RecallTestView;
    /// Removes a recall test.
    acts recall_test.remove_recall_test(id: &str) -> ();
    /// Runs the recall tests with these ids, or all of them if none is given.
    acts recall_test.run_recall_tests(ids: &[String]) -> Vec<RecallTestView>;
    /// A page of runs, newest first.
    reads consolidation.list_runs(after: Option<&str>, limit: u32) -> RunPage;
    /// The effects of a run.
    reads consolidation.run_items(id: &str) -> Vec<RunItem>;
    /// Previews a consolidation.
    reads consolidation.preview_consolidation() -> ConsolidationPreview;
    derives run::run_consolidation;
    /// Cancels the run of a task after its current step, if this process runs it.
    acts consolidation.cancel_run(task: &str);
    /// Reverts a whole run.
    decides consolidation.revert_run(id: &str) -> Reverted;
    /// The consolidation settings.
    reads consolidation.consolidation_settings() -> ConsolidationSettings;
    /// Replaces all consolidation settings.
    acts consolidation.set_consolidation_settings(settings: ConsolidationSettings) -> ConsolidationSettings;
    /// All tasks with their last runs.
    reads schedule.list_tasks() -> Vec<TaskView>;
    /// Runs a task now.
    derives schedule.run_task(name: &str, events: Arc<dyn Events>) -> TaskView;
    /// A page of the journal, newest first.
    reads memory.list_changes(actor_kind: Option<ActorKind>, after: Option<&str>, limit: u32) -> JournalPage;
    /// Exports memory into a file.
    reads transfer.export_memory(request: ExportRequest, events: Arc<dyn Events>) -> ExportReport;
    /// Cancels the running export or import.
    acts transfer.cancel_transfer();
    /// Previews the import of a file. Stores nothing.
    reads transfer.preview_import(request: ImportRequest, events: Arc<dyn Events>) -> ImportPlan;
    /// Imports a file as previewed.
    decides transfer.import_memory(
        request: ImportRequest, hash: String, events: Arc<dyn Events>
    ) -> ImportDone;
    /// All clients by name, including revoked ones.
    reads client.list_clients() -> Vec<ClientView>;
    /// Adds a client with read access to one workspace. Its token is shown only once.
    acts client.add_client(name: &str, workspace_id: &str) -> NewClient;
    /// Replaces a client's permissions, effective with its next call.
    acts client.set_grants(id: &str, grants: &ClientGrants) -> ClientView;
    /// Replaces a client's token and re-enables the client if it was revoked.
    acts client.renew_token(id: &str) -> NewClient;
    /// Revokes a client, effective with its next call.
    acts client.revoke_client(id: &str) -> ClientView;
    /// A page of a client's changes, newest first; they are numbered from the oldest.
    reads client.client_changes(id: &str, before: Option<u32>, limit: u32) -> JournalPage;
    /// Undoes everything that a client wrote to memory.
    decides client.undo_client(id: &str) -> ClientUndone;
    reads client::mcp_status;
    acts client::set_mcp;
    reads client::client_snippets;
    /// True if agents and tasks may add to the memory of the workspace in use.
    reads client.memory_enabled() -> bool;
    /// Switches memory on or off for agents and tasks.
    acts client.set_memory_enabled(enabled: bool) -> bool;
    /// The four tiers, narrowest first.
    reads workspace.memory_overview() -> Vec<TierOverview>;
    /// Previews a scrub. Changes nothing.
    reads scrub.preview_scrub(target: ScrubTarget, mode: ScrubMode) -> ScrubManifest;
    /// Permanently destroys the rows of a manifest.
    acts scrub.execute_scrub(request: ScrubRequest) -> ScrubDone;
    /// The audit logs of the account and of the workspace in use, checked.
    reads audit.audit_log() -> AuditLog;
    reads backup::list_backups;
    /// Backs up all databases.
    acts backup.back_up_now() -> BackupView;
    reads backup::check_backup;
    acts backup::restore_backup;
    /// Deletes a backup permanently.
    acts backup.purge_backup(id: &str) -> ();
    /// Interval of automatic backups and their size limit.
    reads backup.backup_settings() -> BackupSettings;
    /// Replaces the backup settings.
    acts backup.set_backup_settings(settings: BackupSettings) -> BackupSettings;
    reads backup::damaged_files;
    /// Rebuilds the text indexes that differ from their texts. Returns their number.
    acts backup.rebuild_indexes() -> u32;
    acts backup::begin_account_anew;
    reads update::update_status;
    reads update::find_update;
    acts update::install_update;
    /// Cancels the download of an update, if there is one.
    acts update.cancel_update();
    /// The linked vaults, by name.
    reads vault.list_vaults() -> Vec<VaultView>;
    /// A vault, and which of its files are not indexed and why.
    reads vault.vault_status(id: &str, after: Option<&str>, limit: u32) -> VaultStatus;
    /// Links a folder of Markdown files. Nothing in it is ever written.
    decides vault.link_vault(folder: &str) -> VaultView;
    /// Removes a vault with its index. The folder stays as it is.
    decides vault.unlink_vault(id: &str) -> ();
    /// Indexes what changed in a vault.
    acts vault.sync_vault(id: &str, events: Arc<dyn Events>) -> VaultSync;
    /// Stops the scans that are under way. The next scan goes on.
    acts vault.cancel_vault_sync();
    /// Pages, by title.
    reads vault.list_pages(request: &PageListRequest) -> PageList;
    /// A page with its text, links and backlinks: by id, path, name of the file, title or alias.
    reads vault.get_page(page: &str) -> PageView;
    /// A memory as a unified diff against a page, to be copied into its file. Nothing is written.
    reads vault.promote_memory(id: &str, page: &str) -> String;
    /// Opens the file of a page in the program that the system has for it.
    reads vault.open_page(id: &str) -> ();
    /// The page to which memories are appended, if one was chosen and is there.
    reads vault.promotion_page() -> Option<PageRow>;
    /// Chooses the page to which memories are appended; `null`: none.
    decides vault.set_promotion_page(page: Option<&str>) -> Option<PageRow>;
    /// Appends a memory to the page that was chosen for it. It is the only write into a vault.
    decides vault.append_memory(id: &str) -> PageRow;
}
