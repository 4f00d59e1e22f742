package gantry.server.config;

import static gantry.server.config.Role.BROKER;
import static gantry.server.config.Role.NAMESERVER;

import java.util.ArrayList;
import java.util.List;

/// The keys of RocketMQ 4.9 to 5.5 that have no effect here, each with the reason.
///
/// For:   letting a user start with the file that he has, and telling the truth about every line of it.
/// Owner: whoever builds the table.
/// Never: a key with an effect; when one gets an effect it moves to `Keys`.
final class ApacheKeys {
    private final List<Key<?>> all = new ArrayList<>();

    private ApacheKeys() {}

    /// In the order of the reference page.
    static List<Key<?>> all() {
        ApacheKeys keys = new ApacheKeys();
        keys.promises();
        keys.madeDifferently();
        keys.replication();
        keys.notThereYet();
        keys.nameserver();
        return List.copyOf(keys.all);
    }

    /// With another value than the one named these promise something, and it would be broken in silence.
    private void promises() {
        only("enableControllerMode", "false", "this version has no controller, so nobody would elect a master");
        only("enableDLegerCommitLog", "false", "a log is copied by Gantry's own protocol, not by DLedger's");
        only("enableSlaveActingMaster", "false", "no follower takes over by itself in this version");
        only("duplicationEnable", "false", "a message is never stored a second time");
        only("enableLmq", "false", "this version has no light queues, so their messages would be in no queue");
        only("enableMultiDispatch", "false", "this version puts a message into one queue only");
        only("aclEnable", "false", "this version checks no credentials, so every client would get in");
        only("authenticationEnabled", "false", "this version checks no credentials, so every client would get in");
        only("authorizationEnabled", "false", "this version checks no permissions, so every client would get in");
        only("enablePropertyFilter", "false", "this version has no SQL filter");
        only("storeType", "default", "only RocketMQ's file layout is supported, not RocksDB");
        only("rejectTransactionMessage", "false", "this version has no transactions of its own to reject");
        only("readUnCommitted", "false", "only what can no longer be taken back is shown to consumers");
    }

    private void madeDifferently() {
        none("RocketMQ does not read it either", """
                storePathConsumeQueue storePathIndex storeCheckpoint abortFile checkTransactionMessageEnable""");
        none("requests run on event loops, not in a pool of threads per kind of request", """
                serverWorkerThreads serverCallbackExecutorThreads serverSelectorThreads serverOnewaySemaphoreValue
                serverAsyncSemaphoreValue sendMessageThreadPoolNums putMessageFutureThreadPoolNums
                pullMessageThreadPoolNums litePullMessageThreadPoolNums ackMessageThreadPoolNums
                processReplyMessageThreadPoolNums queryMessageThreadPoolNums adminBrokerThreadPoolNums
                clientManageThreadPoolNums consumerManageThreadPoolNums loadBalanceProcessorThreadPoolNums
                heartbeatThreadPoolNums endTransactionThreadPoolNums sendThreadPoolQueueCapacity
                pullThreadPoolQueueCapacity litePullThreadPoolQueueCapacity ackThreadPoolQueueCapacity
                replyThreadPoolQueueCapacity queryThreadPoolQueueCapacity clientManagerThreadPoolQueueCapacity
                consumerManagerThreadPoolQueueCapacity heartbeatThreadPoolQueueCapacity
                endTransactionPoolQueueCapacity adminBrokerThreadPoolQueueCapacity
                loadBalanceThreadPoolQueueCapacity brokerFastFailureEnable waitTimeMillsInSendQueue
                waitTimeMillsInPullQueue waitTimeMillsInLitePullQueue waitTimeMillsInHeartbeatQueue
                waitTimeMillsInTransactionQueue waitTimeMillsInAckQueue waitTimeMillsInAdminBrokerQueue
                asyncSendEnable maxAsyncPutMessageRequests topicQueueLockNum""");
        none("sockets and buffers are bounded by the network layer itself", """
                serverChannelMaxIdleTimeSeconds serverSocketSndBufSize serverSocketRcvBufSize
                serverPooledByteBufAllocatorEnable useEpollNativeSelector transferMsgByHeap channelExpiredTimeout
                writeBufferHighWaterMark writeBufferLowWaterMark serverSocketBacklog enableNetWorkFlowControl""");
        none("the log is written with write calls and mapped for reading only", """
                transientStorePoolEnable transientStorePoolSize fastFailIfNoBufferInStorePool commitIntervalCommitLog
                commitCommitLogLeastPages commitCommitLogThoroughInterval osPageCacheBusyTimeOutMills
                useReentrantLockWhenPutMessage warmMapedFileEnable mappedFileSwapEnable coldDataFlowControlEnable
                coldDataScanEnable accessMessageInMemoryMaxRatio maxTransferBytesOnMessageInDisk
                maxTransferCountOnMessageInDisk putMessageTimeout writeWithoutMmap""");
        none("syncs go by time and size alone", """
                flushCommitLogTimed flushCommitLogLeastPages flushCommitLogThoroughInterval
                flushIntervalConsumeQueue flushConsumeQueueLeastPages flushConsumeQueueThoroughInterval
                flushConsumerOffsetHistoryInterval consumerOffsetUpdateVersionStep
                delayOffsetUpdateVersionStep""");
        none("recovery checks every record that is younger than the checkpoint, always", """
                checkCRCOnRecover forceVerifyPropCRC maxRecoveryCommitlogFiles""");
        none("registration goes to all nameservers at once, whole, and at once on a change", """
                forceRegister compressedRegister enableSplitRegistration splitRegistrationSize
                enableSingleTopicRegister registerBrokerTimeoutMills brokerHeartbeatInterval
                brokerNotActiveTimeoutMillis sendHeartbeatTimeoutMillis updateNameServerAddrPeriod
                compatibleWithOldNameSrv skipPreOnline""");
        none("nameservers are named in namesrvAddr", """
                rmqAddressServerDomain rmqAddressServerSubGroup fetchNamesrvAddrByAddressServer
                fetchNameSrvAddrByDnsLookup""");
        none("Gantry needs no home folder and loads no plug-ins", """
                rocketmqHome messageStorePlugIn configBlackList brokerConfigPath configManagerVersion
                useSingleRocksDBForAllConfigs realTimePersistRocksDBConfig realTimePersistRocksDBConfigEnable""");
        none(
                "one answer is limited by maxTransferCountOnMessageInMemory and maxTransferBytesOnMessageInMemory alone",
                """
                pullBatchMaxMessageCount
                maxFilterMessageSize maxMsgsNumBatch""");
        none("pulls are always held until a message comes or their time is up", """
                longPollingEnable shortPollingTimeMills""");
        none("members of a group are always told at once when it changes", """
                notifyConsumerIdsChangedEnable realTimeNotifyConsumerChange""");
        none("obsolete in RocketMQ too", """
                dLegerGroup dLegerPeers dLegerSelfId filterServerNums expectConsumerNumUseFilter
                maxErrorRateOfBloomFilter filterDataCleanTimeSpan enableCalcFilterBitMap bitMapLengthConsumeQueueExt
                autoDeleteUnusedStats enableDetailStat accountStatsEnable""");
    }

    private void replication() {
        none("every member of the sync-state set is always waited for", "allAckInSyncStateSet");
        none(
                "a promise is never lowered by itself: with too few members sends are refused",
                "enableAutoInSyncReplicas");
        none("who proves to be a member is one, or those of replicaMembers", "totalReplicas");
        none("every follower can be in the sync-state set", "asyncLearner");
        none("both sides say something every 0.5 s, and leave who is silent for 4 s", """
                haSendHeartbeatInterval haHousekeepingInterval""");
        none("a follower takes 4 MiB before it has acknowledged them, however fast that is", """
                haTransferBatchSize haFlowControlEnable maxHaTransferByteInSecond""");
        none("who has been behind for 5 s leaves the sync-state set, however few bytes that are", """
                haMaxGapNotInSync haSlaveFallbehindMax haMaxTimeSlaveNotCatchup""");
        none("syncFlushTimeout says how long a send waits, for the disk and for followers", "slaveTimeout");
        none("a follower says at each hello what it holds, and copies the whole log", """
                syncFromLastFile syncMasterFlushOffsetWhenStartup offsetCheckInSlave""");
        none("followers are told the host of brokerIP1", "brokerIP2");
        none("epochs and the log's id lie in the store", "storePathEpochFile storePathBrokerIdentity");
        none("this version has no controller and no acting masters", """
                enableRemoteEscape syncBrokerMemberGroupPeriod lockInStrictMode controllerAddr
                fetchControllerAddrByDnsLookup syncBrokerMetadataPeriod checkSyncStateSetPeriod
                syncControllerMetadataPeriod controllerHeartBeatTimeoutMills brokerElectionPriority forwardTimeout
                isInBrokerContainer""");
    }

    private void notThereYet() {
        none(
                "retention looks every 2 s and deletes at most ten files a time, each unmapped after its last reader",
                """
                deleteFileBatchMax deleteCommitLogFilesInterval deleteConsumeQueueFilesInterval cleanResourceInterval
                destroyMapedFileIntervalForcibly redeleteHangedFileInterval""");
        none("the commit log has one folder", """
                readOnlyCommitLogStorePaths disappearTimeAfterStart""");
        none("the key index keeps a mark of its own, and answers up to 32 messages by unique key and 64 by key", """
                messageIndexSafe defaultQueryMaxNum""");
        none("the key index is in files, as RocketMQ's default", "indexRocksDBEnable");
        none("delay levels are there, but no other delays", """
                flushDelayOffsetInterval enableScheduleMessageStats enableScheduleAsyncDeliver
                scheduleAsyncDeliverMaxPendingLimit timerWheelEnable timerPrecisionMs timerMaxDelaySec
                timerRollWindowSlot timerInterceptDelayLevel timerStopEnqueue timerStopDequeue
                timerCongestNumEachSlot timerFlushIntervalMs timerRocksDBEnable timerSkipUnknownError timerWarmEnable
                timerMetricSmallThreshold timerProgressLogIntervalMs timerGetMessageThreadNum timerPutMessageThreadNum
                timerEnableDisruptor timerEnableCheckMetrics timerCheckMetricsWhen recallMessageEnable
                allowRecallWhenBrokerNotWriteable""");
        none("this version has no transactions", """
                transactionTimeOut transactionCheckMax transactionCheckInterval transactionOpMsgMaxSize
                transactionOpBatchInterval transactionMetricFlushInterval transRocksDBEnable""");
        none("this version has no POP consumers", """
                reviveQueueNum reviveInterval reviveMaxSlow reviveScanTime reviveAckWaitMs enableSkipLongAwaitingAck
                popPollingSize popPollingMapSize maxPopPollingSize popPollingMapExpireTimeSeconds enablePopBufferMerge
                popCkStayBufferTime popCkStayBufferTimeOut popCkMaxBufferSize popCkOffsetMaxQueueSize enablePopBatchAck
                popLongPollingForceNotifyInterval enableNotifyBeforePopCalculateLag enablePopLog popFromRetryProbability
                enableRetryTopicV2 retrieveMessageFromPopRetryTopicV1 initPopOffsetByCheckMsgInMem
                popConsumerKVServiceEnable popConsumerKVServiceInit popConsumerKVServiceLog popReviveMaxAttemptTimes
                popReviveConcurrency popReviveMaxReturnSizePerRead enablePopMessageThreshold
                popInflightMessageThreshold popResponseReturnActualRetryTopic useMessageFilterForNotification
                defaultMessageRequestMode defaultPopShareQueueNum serverLoadBalancerEnable
                loadBalancePollNameServerInterval skipWhenCKRePutReachMaxTimes""");
        none("this version has no lite topics, light queues or compaction", """
                enableLiteEventMode minLiteTTl maxLiteSubscriptionCount liteTtlCheckInterval maxClientEventCount
                maxLmqConsumeQueueNum enableCompaction compactionScheduleInternal
                maxOffsetMapSize compactionThreadNum enableConsumeQueueExt mappedFileSizeConsumeQueueExt
                mapperFileSizeBatchConsumeQueue rocksdbCQDoubleWriteEnable""");
        none("metrics are read at adminPort, docs/monitoring.md", """
                metricsExporterType metricsPromExporterPort metricsPromExporterHost metricsGrpcExporterTarget
                metricsGrpcExporterHeader metricGrpcExporterTimeOutInMills metricGrpcExporterIntervalInMills
                metricLoggingExporterIntervalInMills metricsLabel metricsInDelta metricsOtelCardinalityLimit
                enableRemotingMetrics enableMessageStoreMetrics enableConnectionMetrics enableStatsMetrics
                enableRequestMetrics enableLagAndDlqMetrics enableTransactionMetrics""");
        none("this version checks no credentials", """
                authenticationProvider authorizationProvider authenticationMetadataProvider
                authorizationMetadataProvider authenticationStrategy authorizationStrategy authenticationWhitelist
                authorizationWhitelist initAuthenticationUser innerClientAuthenticationCredentials
                migrateAuthFromV1Enabled authConfigPath""");
        none("this version does not know it yet", """
                regionId clusterTopicEnable brokerTopicEnable traceTopicEnable msgTraceTopicName traceOn
                enableMixedMessageType validateSystemTopicWhenUpdateTopic rejectPullConsumerEnable
                disableConsumeIfConsumerReadSlowly consumerFallbehindThreshold useServerSideResetOffset
                filterSupportRetry enableBroadcastOffsetStore broadcastOffsetExpireSecond broadcastOffsetExpireMaxSecond
                storeReplyMessageEnable litePullMessageEnable subscriptionExpiredTimeout
                startAcceptSendRequestTimeStamp enableRegisterProducer enableCreateSysGroup
                clearRetryTopicWhenDeleteTopic maxTopicLength commercialEnable""");
    }

    private void nameserver() {
        noneOfNameserver("requests run on event loops, not in a pool of threads per kind of request", """
                serverWorkerThreads serverCallbackExecutorThreads serverSelectorThreads serverOnewaySemaphoreValue
                serverAsyncSemaphoreValue clientRequestThreadPoolNums defaultThreadPoolNums
                clientRequestThreadPoolQueueCapacity defaultThreadPoolQueueCapacity unRegisterBrokerQueueCapacity""");
        noneOfNameserver("sockets and buffers are bounded by the network layer itself", """
                serverChannelMaxIdleTimeSeconds serverSocketSndBufSize serverSocketRcvBufSize
                serverPooledByteBufAllocatorEnable useEpollNativeSelector""");
        noneOfNameserver("a broker expires by its own promise, looked at every half second", """
                scanNotActiveBrokerInterval""");
        noneOfNameserver("Gantry needs no home folder", "rocketmqHome configStorePath configBlackList");
        noneOfNameserver("this version does not know it yet", """
                productEnvName clusterTest enableAllTopicList""");
        add(
                "enableControllerInNamesrv",
                NAMESERVER,
                new Effect.Only("false", "this version has no controller, so nobody would elect a master"));
    }

    private void only(String name, String value, String because) {
        add(name, BROKER, new Effect.Only(value, because));
    }

    private void none(String because, String names) {
        for (String name : names.split("\\s+", -1)) {
            add(name, BROKER, new Effect.None(because));
        }
    }

    private void noneOfNameserver(String because, String names) {
        for (String name : names.split("\\s+", -1)) {
            add(name, NAMESERVER, new Effect.None(because));
        }
    }

    private void add(String name, Role role, Effect effect) {
        all.add(new Key<>(name, role, Reading.TEXT, "(RocketMQ's)", effect, ""));
    }
}
